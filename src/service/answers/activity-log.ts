import { type ActivityLogRecord, activityLogs } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import { instant } from './formats.ts';

/** An entry of the log of changes (lookups §12). */
export function activityLogAnswer(log: ActivityLogRecord, organizationId: string) {
  return {
    activity_id: log.id,
    ...pick(log, activityLogs.shown.heading),
    ...pick(log, activityLogs.shown.details),
    organization_id: organizationId,
    logged_at: instant(log.logged_at),
    created_at: instant(log.created_at),
  };
}
