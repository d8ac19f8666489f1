/** The lookups of billable metrics (lookups §10). */
import { countedMetricAnswer } from '../answers/billable-metric.ts';
import { notFound } from '../errors.ts';
import { pathValue } from '../operations/input.ts';
import type { Routes } from './context.ts';
import { plainPage } from './lists.ts';

export const billableMetricRoutes: Routes = app => {
  app.get('/billable_metrics', async (request, reply) => {
    const { rows, meta } = await plainPage(request, reply, 'billable_metrics', {});
    return { billable_metrics: rows.map(countedMetricAnswer), meta };
  });

  app.get('/billable_metrics/:code', async request => {
    const metric = await request.account.first('billable_metrics', { code: pathValue(request, 'code') });
    if (metric === undefined) throw notFound('billable_metric');
    return { billable_metric: countedMetricAnswer(metric) };
  });
};
