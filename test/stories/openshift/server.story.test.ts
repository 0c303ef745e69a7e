import type { MachineErrorReason } from '../../../shared/actuator/port.ts';
import type { OpenShiftFleet } from '../stage/openshift.ts';
import { machines } from '../stage/openshift.ts';
import { whileProvider } from '../stage/plots.ts';
import { openShift } from '../stage/story.ts';

const { story } = openShift;
const group = 'openshift/server';

const goes = async (fleet: OpenShiftFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

const failed = (reason: MachineErrorReason | undefined, message: string) =>
  ({ kind: 'failed', reason, message }) as const;

const stops = (seconds: number) => ({ annotations: { 'local.phaseout.dev/stop-seconds': String(seconds) } });

story(group, 'a server that takes its time', {
  thorough: true,
  scene: (fleet) => fleet.machineThatRuns('worker-1', { metadata: stops(100) }),
  plot: goes,
});

story(group, 'a provider that does not say how long it takes', {
  scene: (fleet) => fleet.machineThatRuns('worker-1'),
  plot: whileProvider({ exists: () => ({ kind: 'exists' }) }, 300),
});

story(group, 'a server that never goes', {
  scene: (fleet) =>
    fleet.machineThatRuns('worker-1', {
      metadata: { annotations: { 'local.phaseout.dev/never-stops': 'true' } },
    }),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(1_200);
  },
});

story(group, 'a server that was gone before', {
  scene: (fleet) => fleet.machineThatRuns('worker-1', { hasServer: false }),
  plot: goes,
});

story(group, 'a provider that asks for time before it can delete', {
  thorough: true,
  scene: (fleet) => fleet.machineThatRuns('worker-1'),
  plot: whileProvider(
    { delete: () => ({ kind: 'retry', afterSeconds: 45, message: 'the volume is busy' }) },
    120,
  ),
});

story(group, 'a delete that fails for a while', {
  thorough: true,
  scene: (fleet) => fleet.machineThatRuns('worker-1'),
  plot: whileProvider({ delete: () => failed('DeleteError', 'the zone does not answer') }, 200),
});

story(group, 'a delete that fails for another reason each time', {
  scene: (fleet) => fleet.machineThatRuns('worker-1'),
  async plot(fleet) {
    const reasons = ['too many requests', 'the zone does not answer', 'a disk is in use'];
    fleet.provider.answers({
      delete() {
        const reason = reasons.shift();
        return reason === undefined ? undefined : failed(undefined, reason);
      },
    });
    await goes(fleet);
  },
});

story(group, 'an invalid configuration, of a Machine that had an address', {
  scene: (fleet) => fleet.machineThatRuns('worker-1'),
  plot: whileProvider({ delete: () => failed('InvalidConfiguration', 'unknown region "moon"') }, 200),
});

story(group, 'an invalid configuration, of a Machine that never had an address', {
  thorough: true,
  scene: (fleet) =>
    fleet.machineThatRuns('worker-1', {
      node: null,
      status: { addresses: null, nodeRef: null, providerStatus: null, phase: 'Failed' },
      hasServer: false,
    }),
  async plot(fleet) {
    fleet.provider.answers({ delete: () => failed('InvalidConfiguration', 'unknown region "moon"') });
    await goes(fleet);
  },
});

story(group, 'an invalid configuration, and a server that is there although no address was recorded', {
  scene: (fleet) => fleet.machineThatRuns('worker-1', { status: { addresses: [] } }),
  async plot(fleet) {
    const end = fleet.provider.answers({
      delete: () => failed('InvalidConfiguration', 'unknown region "moon"'),
    });
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('somebody mends the configuration');
    end();
    fleet.change(machines, 'worker-1', { spec: { providerSpec: { value: { region: 'earth' } } } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a provider that cannot tell whether the server is there', {
  scene: (fleet) => fleet.machineThatRuns('worker-1'),
  plot: whileProvider({ exists: () => failed(undefined, 'the list of instances is not complete') }, 200),
});

story(group, 'a provider that nobody can reach for a while', {
  thorough: true,
  scene: (fleet) => fleet.machineThatRuns('worker-1'),
  plot: whileProvider({ delete: () => 'unreachable', exists: () => 'unreachable' }, 200),
});

story(group, 'a provider that goes down while the server stops', {
  scene: (fleet) => fleet.machineThatRuns('worker-1', { metadata: stops(40) }),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(10);
    fleet.told.say('the provider goes down');
    const end = fleet.provider.answers({ delete: () => 'unreachable', exists: () => 'unreachable' });
    await fleet.seconds(120);
    fleet.told.say('the provider is well again');
    end();
    await fleet.gone('worker-1');
  },
});
