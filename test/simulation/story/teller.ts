import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { newsOf } from '../../stories/stage/told-machine.ts';
import type { Observer } from '../observer.ts';
import type { ProviderAnswer } from '../platform/provider.ts';
import type { MachinePlan, Scenario } from '../scenario/model.ts';
import type { World } from '../world.ts';
import { deedOf } from './deeds.ts';
import type { Story } from './story.ts';

/** Writes down who does what, in words, from the moment at which phaseout begins. */
export const teller =
  (story: Story) =>
  (world: World, scenario: Scenario): Observer => {
    const tell = (who: string, what: string): void => story.add(world.now() - world.began, who, what);
    story.begins(world.now());
    tellOfMachines(world, scenario, tell);
    tellOfEnds(world, tell);
    return {
      after(exchange, answer) {
        const deed = deedOf(exchange, answer);
        if (deed !== undefined) tell(exchange.instance, deed);
      },
      provider({ instance, operation, machine }, answer) {
        const isUsual = operation !== 'delete' && machine.metadata.deletionTimestamp === undefined;
        if (isUsual) return;
        tell(
          instance,
          `asks the provider: ${operation} the server of ${nameOf(machine)}: ${wordsOf(answer)}`,
        );
      },
      said: (who, what) => tell(who, what),
      hit: (fault, phases) => tell('fault', [fault, ...new Set(phases)].join(', during ')),
      logged(instance, level, message, fields) {
        if (level === 'warn' || level === 'error')
          tell(instance, `${level}: ${message} ${JSON.stringify(fields)}`);
      },
      calm: () => tell('', '— nothing goes wrong and nobody changes anything from here on —'),
      stoodStill: () => tell('', '— whatever could go has gone; now everybody gives in —'),
      quiet: () => tell('', '— nothing is left to do —'),
    };
  };

type Tell = (who: string, what: string) => void;

const nameOf = ({ metadata: { namespace, name } }: KubeObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

function wordsOf(answer: ProviderAnswer | undefined): string {
  if (answer === undefined) return 'nobody answers';
  if (answer.kind === 'retry') return `again after ${answer.afterSeconds} s`;
  if (answer.kind === 'failed') return `${answer.reason ?? 'failed'}: ${answer.message}`;
  return answer.kind;
}

/** What their users read, told when it changes. */
function tellOfMachines({ management }: World, { machines }: Scenario, tell: Tell): void {
  const known = new Map<string, string>();
  const news = (machine: KubeObject, isNew: boolean): void => {
    for (const [about, text] of newsOf(machine)) {
      const key = `${machine.metadata.uid} ${about}`;
      if (text === undefined || known.get(key) === text) continue;
      known.set(key, text);
      if (isNew) tell(`Machine ${nameOf(machine)}`, text);
    }
  };
  for (const resource of new Set(machines.map((machine: MachinePlan) => machine.resource))) {
    for (const machine of management.list(resource)) news(machine, false);
    management.watch(resource, ({ type, object }) => {
      if (type === 'DELETED') tell(`Machine ${nameOf(object)}`, 'is gone');
      else news(object, true);
    });
  }
}

/** Pods, Nodes and servers as they go. */
function tellOfEnds({ clusters }: World, tell: Tell): void {
  const told = { pods: 'Pod', nodes: 'Node', 'volumeattachments.storage.k8s.io': 'VolumeAttachment' };
  for (const { host, cluster } of clusters.values()) {
    for (const [resource, kind] of Object.entries(told)) {
      cluster.watch(resource, ({ type, object }) => {
        if (type !== 'DELETED') return;
        const node = textAt(object, 'spec', 'nodeName');
        tell(host, `${kind} ${nameOf(object)}${node === undefined ? '' : ` on ${node}`} is gone`);
      });
    }
  }
}
