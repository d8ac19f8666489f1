/** One change of a record, as the account's log keeps it (docs/lookups.md §12). */
import * as z from 'zod';
import { activityResourceTypes, activitySources, activityTypes } from './enums.ts';
import { anything, instant, oneOf, text, uuid } from './fields.ts';
import { createdAt } from './shared.ts';

export const activityLog = z.looseObject({
  activity_id: uuid("The entry's own id"),
  activity_type: oneOf('What was done to what', ...activityTypes),
  activity_source: oneOf('Where it came from', ...activitySources),
  activity_object: anything('The record after it, as its own read shows it; {} once deleted'),
  activity_object_changes: anything('What differs: {field: [before, after]}; {} unless the record was updated'),
  user_email: text('Email of the user who did it; null for an API key and for the service itself'),
  resource_id: uuid('The record'),
  resource_type: oneOf('Kind of the record', ...activityResourceTypes),
  external_customer_id: text('Your own id of its customer; null where it has none'),
  external_subscription_id: text('Your own id of its subscription; null where it has none'),
  organization_id: uuid('The account'),
  logged_at: instant('When it happened'),
  created_at: createdAt,
});
