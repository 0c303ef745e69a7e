import type { Outside } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { howNamed, type MachineName } from '../machine-name.ts';
import { wayTo } from './kubeconfig.ts';
import type { LookAtOne } from './options.ts';

/** A Machine that is named without a namespace is looked for in that of the context, as kubectl does. Throws UsageError. */
export async function inContext(
  { machine, source }: Pick<LookAtOne, 'machine' | 'source'>,
  outside: Outside,
): Promise<MachineName> {
  const { namespace, ...named } = machine;
  if (namespace !== undefined) return { ...named, namespace };
  if (source.kind !== 'cluster') throw new UsageError(`${howNamed}, not ${JSON.stringify(named.name)}`);
  const kubeConfig = await wayTo(source, outside);
  const context = kubeConfig.getContextObject(kubeConfig.getCurrentContext());
  return { ...named, namespace: context?.namespace || 'default' };
}
