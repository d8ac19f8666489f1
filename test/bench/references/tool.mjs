// The one tool of the reference servers: forwards GET /customers/{external_customer_id} and gives the body as it comes.
// undici is loaded by the first call, so that it costs nothing at the start.

export const name = 'get_customer';
export const description = 'Retrieves a customer by its external id.';
export const inputSchema = {
  type: 'object',
  properties: { external_customer_id: { type: 'string' } },
  required: ['external_customer_id'],
  additionalProperties: false,
};

const base = new URL(process.env.BILLING_BASE_URL);
let pool;
const headers = { authorization: `Bearer ${process.env.BILLING_API_KEY}` };

export async function call(request) {
  const id = encodeURIComponent(request.params.arguments.external_customer_id);
  pool ??= import('undici').then(({ Pool }) => new Pool(base.origin, { connections: 32 }));
  const { statusCode, body } = await (await pool).request({ method: 'GET', path: `/api/v1/customers/${id}`, headers });
  const text = await body.text();
  return { content: [{ type: 'text', text }], isError: statusCode !== 200 };
}
