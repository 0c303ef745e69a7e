import { machineErrorReasons } from '../../../../shared/actuator/port.ts';
import type { ProviderCall, ProviderFate } from '../../platform/provider.ts';
import type { Fault } from '../fault.ts';
import { type MeddlingFault, meddlingFault } from '../meddling.ts';
import { noAnswers } from './no-answers.ts';

interface ProviderFault
  extends Pick<MeddlingFault<ProviderCall, ProviderFate>, 'name' | 'about' | 'fate'>,
    Pick<Fault, 'often'> {
  fits?: (call: ProviderCall) => boolean;
  /** What becomes of calls: `fail`. */
  becomes: string;
}

/** Something that happens to calls of the provider that keeps servers of OpenShift's and v1alpha1's Machines. */
const providerFault = ({ becomes, fits = () => true, often = 0, ...fault }: ProviderFault): Fault => ({
  often,
  ...meddlingFault<ProviderCall, ProviderFate>((world) => (meddler) => world.meddlers.onProvider(meddler), {
    ...fault,
    fits,
    who: 'the provider',
    says: ({ operation, machine }) => `calls ${becomes}, such as ${operation} for ${machine.metadata.name}`,
    instance: ({ instance }) => instance,
    kind: ({ operation }) => operation,
  }),
});

/** For v1alpha1 accepted is gone: a provider of it that accepts and does nothing breaks the contract. */
const mayAcceptAndWait = ({ operation, machine }: ProviderCall): boolean =>
  operation === 'delete' && machine.apiVersion?.startsWith('machine.openshift.io/') === true;

const failing = 'the cloud has a bad day';

/** What a provider does wrong, within what it may. It never says of a server that is there that it is gone. */
export const provider: readonly Fault[] = [
  providerFault({
    name: 'provider-fails',
    about: 'The provider refuses what it is asked, with a reason or without one.',
    becomes: 'are refused',
    fate: (_call, { random }) => {
      const reason = random.chance(0.2) ? undefined : random.oneOf(machineErrorReasons);
      return { says: { kind: 'failed', reason, message: failing } };
    },
  }),
  providerFault({
    name: 'provider-asks-to-retry',
    about: 'The provider asks to be asked again later.',
    becomes: 'are to be made again later',
    fate: (_call, { random }) => ({
      says: { kind: 'retry', afterSeconds: random.oneOf([0, 1, 5, 60]), message: 'busy' },
    }),
  }),
  providerFault({
    name: 'provider-hangs',
    about: 'The provider does not answer, whether it did what it was asked or not.',
    becomes: 'are not answered for a long time',
    fate: (_call, { random }) => ({ hangs: random.oneOf(['before', 'after'] as const) }),
  }),
  providerFault({
    name: 'provider-unreachable',
    about: 'Nobody answers for the provider.',
    becomes: 'find nobody',
    fate: () => 'finds nobody',
  }),
  providerFault({
    name: 'provider-answer-lost',
    about: 'The provider does what it is asked, and its answer is lost.',
    becomes: 'are done without an answer',
    fate: () => 'is not answered',
  }),
  providerFault({
    name: 'provider-garbled',
    often: 0.3,
    about: 'What is answered in the place of the provider, before it is asked or after it was, is no answer.',
    becomes: 'are answered by somebody else',
    fate: (_call, { random }) => ({
      isSaid: random.oneOf(noAnswers),
      when: random.oneOf(['before', 'after'] as const),
    }),
  }),
  providerFault({
    name: 'provider-lies',
    about: 'The provider says that it accepted the end of a server, and does nothing about it for a while.',
    becomes: 'are accepted and nothing is done',
    fits: mayAcceptAndWait,
    fate: () => ({ says: { kind: 'accepted' } }),
  }),
  providerFault({
    name: 'provider-says-it-still-exists',
    about: 'The provider says of servers that are gone that they still exist.',
    becomes: 'are answered that the server still exists',
    fits: ({ operation, machine }) =>
      operation === 'exists' && machine.apiVersion?.startsWith('machine.openshift.io/') === true,
    fate: (_call, { random }) => ({
      says: { kind: 'exists', ...(random.chance(0.5) && { retryAfterSeconds: random.between(1, 30) }) },
    }),
  }),
];
