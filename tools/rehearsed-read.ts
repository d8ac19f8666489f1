/** A made-up read and its answer, which are run without a request so that the code is compiled before the first call. */
export const rehearsedRead = {
  tool: 'get_customer',
  args: { external_customer_id: 'nobody' },
  body: {
    customer: { external_id: 'nobody', name: 'Nobody', currency: 'EUR', taxes: [{ code: 'none', rate: 1 }] },
  },
};
