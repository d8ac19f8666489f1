/** The log of changes. */
import type { ActivitySource } from '../../contract/enums.ts';
import { instant, int, json, oneOf, orNull, type RecordOf, row, table, text } from './table.ts';
import type { Json, JsonObject } from './values.ts';

/** `{field: [before, after]}`. */
export type ActivityChanges = { [field: string]: [Json, Json] };

export const activityLogs = table(
  /** `sequence` is the order of entries with the same time, which a pinned clock gives to all. */
  { ...row, sequence: int, logged_at: instant },
  {
    heading: { activity_type: text, activity_source: oneOf<ActivitySource>() },
    details: {
      activity_object: json<JsonObject>(),
      activity_object_changes: json<ActivityChanges>(),
      user_email: orNull(text),
      resource_id: text,
      resource_type: text,
      external_customer_id: orNull(text),
      external_subscription_id: orNull(text),
    },
  },
);
export interface ActivityLogRecord extends RecordOf<typeof activityLogs> {}
