import { noChoice } from '../../../../infra/page/client/fleet/choice.ts';
import { chosen } from '../../../../infra/page/client/fleet/chosen.ts';
import type { DeletionStatus } from '../../../../shared/explain/deletion-status.ts';
import type { Cause, Explanation } from '../../../../shared/explain/explanation.ts';
import type { PlannedPhase } from '../../../../shared/plan/deletion-plan.ts';
import { compareBytes } from '../../../../shared/text/byte-order.ts';
import type { AllTold } from './read-all.ts';

type Rule = readonly [what: string, compared: (told: AllTold) => [one: unknown, other: unknown]];

/** What is equal between readers, of every Machine. */
export const rules: readonly Rule[] = [
  [
    'plan and explain judge the phases that are left alike',
    ({ plan, explanation }) => {
      const isLeft = ({ phase }: PlannedPhase): boolean =>
        explanation.phases.find((each) => each.phase === phase)?.does !== 'passed';
      return [explanation.phases.filter(isLeft), plan.phases.filter(isLeft)];
    },
  ],
  [
    'status, explain and the two views of the page have one row for it',
    ({ plan, row, explanation, overview, view }) => {
      const onPage = overview.deleting.find(({ name }) => name === row?.machine.name)?.standing;
      // Lists read Machines only: that its Cluster is paused is seen by who looks at one of them.
      const isOfCluster = plan.held.some(({ reason }) => reason !== row?.waitsFor.reason);
      return [
        [
          ...[onPage, view.deleting?.standing].map(withoutUid),
          isOfCluster || withoutUid(explanation.standing),
        ],
        [
          ...[row, explanation.standing].map(withoutUid),
          isOfCluster ? row === undefined || explanation.standing?.state === 'held' : withoutUid(row),
        ],
      ];
    },
  ],
  [
    'the page explains it as explain does',
    ({ explanation, view }) => [
      asText(view.explanation && said(view.explanation)),
      asText(said(explanation)),
    ],
  ],
  [
    'hooks that hold it are the causes of explain, and status names their owner',
    ({ hooks, explanation, row }) => {
      const holding = hooks.rows.filter((each) => each.holding.kind === 'holds').map(({ hook }) => hook);
      const others = holding.filter((hook) => !hook.includes('phaseout'));
      const named = explanation.causes
        .filter(({ kind, what }) => kind === 'hook' && !what.includes('DeletionHook'))
        .map(({ hook = '' }) => hook);
      const isDeleting = row !== undefined;
      return [
        [others.toSorted(compareBytes), others.length > 0],
        [isDeleting ? named.toSorted(compareBytes) : [], row?.acts.who === 'hook-owner'],
      ];
    },
  ],
  [
    'what would be refused now is a cause with the same code, budget and Pods',
    ({ plan, explanation }) => {
      if (!isAt(explanation, 'drain')) return [[], []];
      const refused = plan.refusals.map(({ pod, cause, budget }) =>
        withoutSuffix(`${cause} ${budget ?? ''} ${pod}`),
      );
      const caused = explanation.causes
        .filter(isRefusal)
        .map(({ what, ...cause }) => ({ ...cause, what: withoutSuffix(what) }));
      return [refused.map((each) => isIn(each, caused)), refused.map(() => true)];
    },
  ],
  [
    'what later batches will be refused is told from the beginning, as long as the drain is to come',
    ({ plan, explanation, view }) => {
      const { standing, causes, later } = explanation;
      const isToCome = ['drain', 'pre-drain', undefined].includes(standing?.phase) && plan.held.length === 0;
      const ahead = isToCome ? (plan.refusalsAhead ?? []) : [];
      const said = standing === undefined ? causes.map(({ what }) => what) : later;
      return [
        [
          ahead.map(({ batch }) => said.some((text) => text.includes(`will refuse in batch ${batch}`))),
          (view.plan?.refusalsAhead ?? []).length,
        ],
        [ahead.map(() => true), (plan.refusalsAhead ?? []).length],
      ];
    },
  ],
  [
    'no reader has numbers of a budget that nothing has computed, and all have the same of the others',
    ({ plan, explanation }) => {
      const ofUnknown = explanation.causes
        .filter(({ code }) => code === 'Unknown')
        .map(({ numbers }) => numbers ?? 'none');
      const told = plan.refusals.flatMap(({ message, budget, cause }) => {
        const [, needs, has] = /needs (\d+) healthy pods and has (\d+) currently/.exec(message) ?? [];
        if (needs === undefined || cause === 'Unknown' || !isAt(explanation, 'drain')) return [];
        const [namespace, name] = budget?.split('/') ?? [];
        const its = explanation.causes.find(
          ({ kind, object }) => kind === 'budget' && object?.namespace === namespace && object?.name === name,
        );
        return [[its?.numbers?.['needs'], its?.numbers?.['has'], Number(needs), Number(has)]];
      });
      return [
        [ofUnknown, told.map(([needs, has]) => [needs, has])],
        [ofUnknown.map(() => 'none'), told.map(([, , needs, has]) => [needs, has])],
      ];
    },
  ],
  [
    'a phase that waits has a cause of its own in explain, as far as the deletion has come to it',
    ({ plan, explanation }) => {
      const waits = plan.phases.filter(({ phase, does }) => does === 'wait' && isAt(explanation, phase));
      const isCaused = ({ phase, why }: PlannedPhase): boolean =>
        explanation.causes.some(
          (cause) => (cause.phase === phase && isNotGuessed(cause)) || cause.what === why,
        );
      const isHeld = plan.held.length > 0;
      return [waits.filter((each) => !isHeld && !isCaused(each)), []];
    },
  ],
  [
    'every function that a plan would ask is told by explain, and so is each DeletionHook that asks nothing',
    ({ plan: { functions = [], held }, explanation: { causes, later, unasked = [] } }) => {
      const told = [...causes.map(({ what }) => what), ...later, ...unasked];
      const isTold = functions.map(({ hook = '' }) =>
        told.some((text) => text.includes(`DeletionHook ${hook}`)),
      );
      const isHeld = held.length > 0;
      return [isTold.map((is) => is || isHeld), functions.map(() => true)];
    },
  ],
  [
    'who helps with the hooks that hold it is said by status as by explain',
    ({ row, explanation }) => {
      const helping = explanation.causes.flatMap(({ details, kind }) => (kind === 'hook' ? details : []));
      const said = row?.acts.help ?? [];
      return [said.filter((text) => !helping.includes(text)), []];
    },
  ],
  [
    'status and the overview of the page name the same DeletionHooks that ask nothing',
    ({ unasked, overview }) => [overview.unasked.map(({ text }) => text), unasked],
  ],
  [
    'status and the overview of the page have the same groups',
    ({ groups, overview }) => [chosen(overview, noChoice).groups, groups],
  ],
  [
    'volumes that have to come off are the causes of explain',
    ({ plan, explanation }) => {
      if (!isAt(explanation, 'volume-detach') || plan.held.length > 0) return [[], []];
      const caused = explanation.causes.filter(({ kind }) => kind === 'volume').map(({ what }) => what);
      return [
        plan.volumes.map(({ kind, name }) => caused.some((what) => what.startsWith(`${kind} ${name} `))),
        plan.volumes.map(() => true),
      ];
    },
  ],
  [
    'Pods that have to complete are those that have not',
    ({ plan, explanation }) => {
      if (!isAt(explanation, 'drain') || plan.held.length > 0) return [[], []];
      const waited = new Set(plan.batches.flatMap(({ pods }) => pods));
      const completing = plan.pods.filter(({ behavior }) => behavior === 'WaitCompleted');
      const names = completing.map(({ namespace, name }) => `${namespace}/${name}`);
      const said = explanation.causes
        .filter(({ what }) => what.includes('must complete'))
        .map(({ what }) => what);
      return [
        names.map((name) => said.some((what) => withoutSuffix(what).includes(withoutSuffix(name)))),
        names.map((name) => waited.has(name)),
      ];
    },
  ],
  [
    'what keeps everything from it is the same',
    ({ plan, explanation: { causes, standing } }) => {
      const keeps = causes.filter(({ kind }) => ['pause', 'invalid'].includes(kind)).map(({ kind }) => kind);
      const reasons = plan.held.map(({ reason }) => reason).filter((reason) => reason in kindsOf);
      const isSaid = standing !== undefined && standing.waitsFor.reason in kindsOf;
      return [
        [keeps, isSaid || standing === undefined],
        [reasons.map((reason) => kindsOf[reason]), reasons.length > 0 || standing === undefined],
      ];
    },
  ],
  [
    'it is given up at one time',
    ({ plan, explanation, row, view }) => {
      const here = explanation.standing?.phase;
      const of = <T extends { phase: string }>(limits: readonly T[] | undefined): T | undefined =>
        limits?.find(({ phase }) => phase === here);
      const at = of(explanation.givenUp)?.at;
      // The API's own controller counts the time of the Node from the deletion.
      const isOurs = explanation.standing?.carriedBy !== 'controller';
      return [
        [of(view.explanation?.givenUp)?.at, row?.givenUp?.at, isOurs ? of(plan.limits)?.givenUpAt : at],
        [at, at, at],
      ];
    },
  ],
  [
    'what is left of the limits is the same',
    ({ plan, explanation }) => [
      explanation.givenUp.map(({ phase, seconds, afterwards }) => ({ phase, seconds, afterwards })),
      (plan.limits ?? [])
        .filter(({ phase }) => explanation.phases.find((each) => each.phase === phase)?.does !== 'passed')
        .map(({ phase, seconds, afterwards }) => ({ phase, seconds, afterwards })),
    ],
  ],
];

/** Pods that a controller of the local platform has made have other names in each look. */
const withoutSuffix = (text: string): string =>
  text
    .replaceAll(/-[bcdfghjklmnpqrstvwxz2456789]{5}(?![\w-])/g, '-x')
    .replaceAll(/\bcsi-[0-9a-f]{64}\b/g, 'csi-x');

const asText = (told: unknown): string => withoutSuffix(JSON.stringify(told, undefined, 1) ?? '');

const withoutUid = (row: DeletionStatus | undefined) =>
  row && { ...row, machine: { ...row.machine, uid: '' } };

/** What is told by both: each has its own look, and so its own names where the world has none. */
const said = ({ verdict, phases, causes, endsByItself, givenUp, later, unasked, unsure }: Explanation) => ({
  verdict,
  phases,
  causes,
  endsByItself,
  givenUp,
  later,
  unasked,
  unsure,
});

const kindsOf: Readonly<Record<string, string>> = { Paused: 'pause', FailedValidate: 'invalid' };

/** Of a living Machine all phases are told. */
const isAt = ({ standing }: AllTold['explanation'], phase: string): boolean =>
  standing === undefined || standing.phase === phase;

const isRefusal = ({ kind }: Cause): boolean => ['budget', 'eviction', 'namespace'].includes(kind);

const isNotGuessed = ({ why }: Cause): boolean => !why.includes('nothing that was read explains it');

function isIn(refused: string, caused: readonly Pick<Cause, 'code' | 'object' | 'what'>[]): boolean {
  const [cause = '', budget = '', pod = ''] = refused.split(' ');
  return caused.some(({ code, object, what }) => {
    if (code === undefined) return cause === 'NamespaceTerminating' && what.includes(object?.name ?? '?');
    const isIts = budget === '' || budget === `${object?.namespace}/${object?.name}`;
    return code === cause && isIts && (what.includes(pod) || what.includes('more)'));
  });
}
