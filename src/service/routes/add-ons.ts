/** Endpoints 4 and 5 (service-behaviour §3.4, §3.5). */
import type { FastifyRequest } from 'fastify';
import { addOn as addOnResource } from '../../contract/add-on.ts';
import type { AddOnRecord, JsonObject } from '../../engine/records/index.ts';
import { addOnAnswer } from '../answers/catalogue.ts';
import { orNotFound } from '../errors.ts';
import { logActivity } from '../operations/activity-log.ts';
import { pathValue, wrappedObject } from '../operations/input.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { fieldsOf, isBlank } from './fields.ts';
import { lockAccount, requireTaxes } from './references.ts';
import { readWritable } from './writable-fields.ts';

export const addOnRoutes: Routes = (app, context) => {
  app.put('/add_ons/:code', request => {
    const input = wrappedObject(request, 'add_on');
    return request.account.transaction(async account => {
      const addOn = await lockedAddOn(account, request);
      const at = context.now().toISOString();
      const changes = { ...(await readChanges(account, addOn, input)), updated_at: at };
      await account.update('add_ons', addOn.id, changes);
      const lists = await loadAccountLists(account);
      const after = addOnAnswer({ ...addOn, ...changes }, lists);
      await logActivity(account, ['add_on.updated', 'AddOn'], [addOnAnswer(addOn, lists), after], at);
      return { add_on: after };
    });
  });

  app.delete('/add_ons/:code', request =>
    request.account.transaction(async account => {
      const addOn = await lockedAddOn(account, request);
      const at = context.now().toISOString();
      await account.update('add_ons', addOn.id, { deleted_at: at, updated_at: at });
      await discardFixedCharges(account, addOn.id, at);
      const before = addOnAnswer(addOn, await loadAccountLists(account));
      await logActivity(account, ['add_on.deleted', 'AddOn'], [before], at);
      return { add_on: before };
    }),
  );
};

/** Locks the account and returns the add-on with the code. Codes of deleted add-ons are free again. Throws 404. */
async function lockedAddOn(account: AccountStore, request: FastifyRequest): Promise<AddOnRecord> {
  await lockAccount(account);
  return orNotFound(await account.first('add_ons', { code: pathValue(request, 'code'), deleted_at: null }), 'add_on');
}

/** Reads the changes; keys that were not sent do not change. Throws 422, 404 `tax_not_found`. */
async function readChanges(account: AccountStore, addOn: AddOnRecord, input: JsonObject) {
  const fields = fieldsOf(input);
  const changes: Partial<AddOnRecord> = readWritable(fields, addOnResource, []);
  const code = fields.text('code');
  if (code !== undefined && isBlank(code)) fields.noteProblem('code', 'value_is_mandatory');
  else if (code) changes.code = code;
  if (code && code !== addOn.code) {
    const sameCode = await account.first('add_ons', { code, deleted_at: null });
    if (sameCode !== undefined) fields.noteProblem('code', 'value_already_exist');
  }
  const taxCodes = fields.texts('tax_codes');
  fields.refuseProblems();
  if (taxCodes) {
    await requireTaxes(account, taxCodes);
    changes.tax_codes = taxCodes;
  }
  return changes;
}

/** Removes the fixed charges of a deleted add-on from all plans. Existing invoices stay unchanged. */
async function discardFixedCharges(account: AccountStore, addOnId: string, at: string): Promise<void> {
  for (const { id } of await account.find('plans')) {
    const plan = await account.get('plans', id, { lock: true });
    const keptCharges = plan?.fixed_charges.filter(charge => charge.add_on_id !== addOnId) ?? [];
    if (plan !== undefined && keptCharges.length < plan.fixed_charges.length) {
      await account.update('plans', id, { fixed_charges: keptCharges, updated_at: at });
    }
  }
}
