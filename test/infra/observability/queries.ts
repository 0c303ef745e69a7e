import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

export const folder = join(import.meta.dirname, '../../../infra/manifests/observability');

const ruleSchema = z.object({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.record(z.string(), z.string()),
  annotations: z.object({ summary: z.string(), runbook_url: z.string() }),
});
const rulesSchema = z.object({
  spec: z.object({
    groups: z.array(z.object({ name: z.string(), rules: z.array(ruleSchema) })),
  }),
});

/** The rules as Prometheus itself reads them, without the object of the operator around them. */
export const ruleFile = (): z.infer<typeof rulesSchema>['spec'] =>
  rulesSchema.parse(parse(readFileSync(join(folder, 'prometheus-rule.yaml'), 'utf8'))).spec;

const panelSchema = z.object({
  id: z.number(),
  type: z.string(),
  title: z.string(),
  description: z.string().optional(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  targets: z.array(z.object({ refId: z.string(), expr: z.string() })).default([]),
});
const dashboardSchema = z.object({
  uid: z.literal('phaseout'),
  templating: z.object({ list: z.array(z.object({ name: z.string(), definition: z.string().optional() })) }),
  panels: z.array(panelSchema),
});

export const dashboard = (): z.infer<typeof dashboardSchema> =>
  dashboardSchema.parse(JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')));

/** The dashboard's queries as Grafana sends them, with its own variables filled in. */
export const panelQueries = (): string[] =>
  dashboard()
    .panels.flatMap(({ targets }) => targets)
    .map(({ expr }) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$machine_api', '.*'));
