import { quoted } from '../../../shared/explain/kubectl.ts';
import type { Outside } from '../../terminal/outside.ts';
import { ownCommand } from '../../terminal/own-command.ts';
import type { KubeconfigPlace } from './kubeconfig.ts';
import type { LookSource } from './options.ts';

/** A command of ours to copy, that looks where this one has looked: `kubectl phaseout explain fleet/worker-1`. */
export const toType = (
  outside: Pick<Outside, 'isPlugin' | 'env'>,
  words: readonly string[],
  source: LookSource,
): string => [ownCommand(outside), ...[...words, ...placeWords(source)].map(quoted)].join(' ');

/** Where it looks, in the words of the command line. */
function placeWords(source: LookSource): string[] {
  switch (source.kind) {
    case 'example':
      return ['--example', source.name];
    case 'manifests':
      return ['--load', ...source.paths, ...workloadWords(source)];
    case 'cluster':
      return [...kubeconfigWords(source, ''), ...kubeconfigWords(source.workload ?? {}, 'workload-')];
    default:
      return source satisfies never;
  }
}

const workloadWords = ({ workloads = [] }: Extract<LookSource, { kind: 'manifests' }>): string[] =>
  workloads.flatMap(({ cluster, paths: [first = '', ...more] }) => [
    '--load-workload',
    cluster === undefined ? first : `${cluster.namespace}/${cluster.name}=${first}`,
    ...more,
  ]);

const kubeconfigWords = ({ kubeconfig, context }: Partial<KubeconfigPlace>, of: string): string[] => [
  ...(kubeconfig === undefined ? [] : [`--${of}kubeconfig`, kubeconfig]),
  ...(context === undefined ? [] : [`--${of}context`, context]),
];
