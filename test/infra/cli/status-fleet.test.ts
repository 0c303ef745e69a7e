import { expect, it } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { noChoice } from '../../../infra/page/client/fleet/choice.ts';
import { chosen } from '../../../infra/page/client/fleet/chosen.ts';
import type { StandingGroup } from '../../../shared/explain/fleet/standing-groups.ts';
import { aDump } from '../../builders/dump.ts';
import { deletingFleet } from '../../builders/fleet/deleting.ts';
import { anOverview } from '../page/fleet/an-overview.ts';
import { anOutside, parsed } from './outside.ts';

it('a fleet that five kinds of things hold is in the same groups for status and for the page', async () => {
  const machines = deletingFleet({ machines: 300, deleting: 60 });
  const { outside, folder, written } = await anOutside();
  const path = await aDump(folder, machines);
  await main(['status', '--by', 'blocker', '-o', 'json', '--load', path], outside);
  if (written.stdout === '') throw new Error(written.stderr);
  const { groups } = parsed<{ groups: StandingGroup[] }>(written.stdout);
  expect(groups.map(({ name, machines: those }) => [name, those.length])).toEqual([
    ['DrainingNode', 12],
    ['hook of edge-team (move-traffic)', 12],
    ['PodDisruptionBudget shop/web, in cluster edge/red', 4],
    ['PodDisruptionBudget shop/web, in cluster fleet/blue', 4],
    ['PodDisruptionBudget shop/web, in cluster fleet/green', 4],
    ['WaitingForInfrastructureDeletion', 12],
    ['WaitingForVolumeDetach', 12],
  ]);
  expect(chosen(anOverview(machines), noChoice).groups.map(withoutTime)).toEqual(groups.map(withoutTime));
});

/** What lasts long is late: the two look at different times. */
const withoutTime = ({ name, machines, oldestDeletedAt, acts }: StandingGroup) => ({
  name,
  machines,
  oldestDeletedAt,
  acts,
});
