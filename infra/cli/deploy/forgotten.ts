import { CannotDo } from '../../terminal/usage-error.ts';
import type { LookedAfter } from '../remove/looked-after.ts';
import type { Ours } from './ours.ts';
import { isCrucial, type Lost } from './variables.ts';

/** Options that the user did not give, although an earlier installation may have had them. */
export interface Unsaid {
  namespaces: boolean;
  machineApis: boolean;
  watchFilter: boolean;
  dynamodbLocal: boolean;
}

/** The settings of an installation that an update may lose. */
export interface Upgrade {
  /** What would be removed. */
  old: readonly Ours[];
  /** The Machines that phaseout looks after before the update, and after it. */
  before: LookedAfter;
  after: LookedAfter;
  /** Variables that would lose their value without a `--set` for them. */
  lost: readonly Lost[];
  /** Its namespace. */
  home: string;
}

/**
 * Throws CannotDo if the user forgot an option. Phaseout would get more permissions, delete Machines of other
 * controllers, or lose its store or its provider.
 */
export function refuseForgotten(upgrade: Upgrade, unsaid: Unsaid): void {
  const problems = [
    unsaid.namespaces && moreNamespaces(upgrade),
    unsaid.machineApis && moreMachineApis(upgrade),
    unsaid.watchFilter && lostFilter(upgrade),
    unsaid.dynamodbLocal && lostStore(upgrade),
    ...lostValues(upgrade, unsaid),
  ].filter(Boolean);
  if (problems.length > 0) throw new CannotDo(problems.join('\n'));
}

const ofKind = ({ old }: Upgrade, kind: string) =>
  old.filter(({ object }) => object.kind === kind).map(({ object }) => object.metadata);

function moreNamespaces(upgrade: Upgrade): string | undefined {
  const { home, before, after } = upgrade;
  const watched = ofKind(upgrade, 'ApiServerSource').flatMap(({ namespace }) =>
    namespace === undefined || namespace === home ? [] : [namespace],
  );
  const names = before.namespaces ?? [...new Set(watched)];
  if (names.length === 0 || after.namespaces !== undefined) return undefined;
  return `it was installed for the Machines of some namespaces only: --namespaces ${names.join(',')} leaves it so, --all-namespaces allows it more`;
}

function moreMachineApis({ before, after: { machineApis = [] } }: Upgrade): string | undefined {
  const known = before.machineApis ?? machineApis;
  if (machineApis.every((name) => known.includes(name))) return undefined;
  return `it was installed for the Machines of ${known.join(', ')} only: --machine-apis ${known.join(',')} leaves it so, --machine-apis ${machineApis.join(',')} allows it more`;
}

function lostFilter({ before, after }: Upgrade): string | undefined {
  if (before.watchFilter === '' || after.watchFilter !== '') return undefined;
  const variable = 'PHASEOUT_WATCH_FILTER';
  return `it was installed for Machines of one watch filter only: --set ${variable}=${before.watchFilter} leaves it so, --set ${variable}= takes those of all others`;
}

const hasOwnStore = (upgrade: Upgrade): boolean => ofKind(upgrade, 'Deployment').length > 0;

const lostStore = (upgrade: Upgrade): string | undefined =>
  hasOwnStore(upgrade)
    ? 'it was installed with a store of its own: --dynamodb-local leaves it so, --no-dynamodb-local takes it away'
    : undefined;

function lostValues(upgrade: Upgrade, { dynamodbLocal }: Unsaid): string[] {
  // If phaseout brings or brought its own store, the address follows from that.
  const isTold = ({ name, after }: Lost): boolean =>
    name === 'PHASEOUT_DYNAMODB_ENDPOINT' &&
    (hasOwnStore(upgrade) || (!dynamodbLocal && after !== undefined));
  return upgrade.lost
    .filter((one) => isCrucial(one) && !isTold(one))
    .map(
      ({ name, before, after = '' }) =>
        `it was installed with ${name}=${before}: --set ${name}=${before} leaves it so, --set ${name}=${after} changes it`,
    );
}
