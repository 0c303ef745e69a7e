import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { createCloud } from '../../../infra/local/provider/cloud.ts';
import { startProvider } from '../../../infra/local/provider/serve.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { anOutside, parsed, phaseout } from './outside.ts';
import { quickClock } from './quick-clock.ts';

/** `machine phase`, in the order in which phases were come to. */
const phasesOf = (lines: string[], machine: string): string[] =>
  lines.flatMap(
    (line) => new RegExp(`machine=\\S*/${machine} phase=(\\S+) (began|after)`).exec(line)?.[1] ?? [],
  );

const indexOf = (lines: string[], text: RegExp): number => {
  const index = lines.findIndex((line) => text.test(line));
  expect(index, `${text} in\n${lines.join('\n')}`).toBeGreaterThan(-1);
  return index;
};

/** To the platform, a provider in somebody else's process. */
async function aProvider() {
  const cloud = createCloud({ clock: quickClock(8), random: Math.random });
  const provider = await startProvider({ cloud });
  onTestFinished(async () => {
    cloud.close();
    await provider.close();
  });
  const gone: string[] = [];
  cloud.onChange(({ machine }, isGone) => (isGone ? gone.push(machine.name) : undefined));
  return { cloud, gone, url: provider.url };
}

describe('the example fleet of OpenShift', () => {
  it('keeps a control plane Machine until a fourth member has joined, and meanwhile takes a worker away', async () => {
    const { code, lines, stderr } = await phaseout('run', '--example', 'openshift');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines[0]).toMatch(/^phaseout: the example fleet of OpenShift at http:/);
    expect(phasesOf(lines, 'master-1')).toEqual(['pre-drain', 'drain', 'infrastructure', 'node', 'finalize']);
    expect(phasesOf(lines, 'worker-1')).toEqual([
      'drain',
      'pre-terminate',
      'infrastructure',
      'node',
      'finalize',
    ]);
    const held = indexOf(
      lines,
      /master-1 phase=pre-drain waits=.* for="hook EtcdQuorumOperator of clusteroperator\/etcd"$/,
    );
    const joined = indexOf(lines, /machine=openshift-machine-api\/master-\w{5} .*node=master-\w{5}$/);
    const drained = indexOf(lines, /master-1 phase=drain after=pre-drain/);
    expect(Math.max(held, joined)).toBeLessThan(drained);
    expect(lines).toContainEqual(expect.stringMatching(/^openshift-machine-api\/master-1 is gone after /));
    expect(lines).toContainEqual(expect.stringMatching(/^openshift-machine-api\/worker-1 is gone after /));
  });

  it('is planned with the owners of hooks and the answer of the local provider', async () => {
    const { code, lines } = await phaseout(
      'plan',
      '--example',
      'openshift',
      'openshift-machine-api/master-1',
    );
    expect(code).toBe(0);
    expect(lines.slice(0, 12).map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      'Deleting Machine openshift-machine-api/master-1',
      '',
      'Phases',
      ' pre-drain blocks Drain operation currently blocked by: [{Name:EtcdQuorumOperator Owner:clusteroperator/etcd}]',
      ' drain passes no Pod has to go',
      ' pre-terminate passes no pre-terminate hook holds it',
      ' infrastructure runs the provider is asked to delete the instance',
      ' node runs Node master-1 is deleted',
      ' finalize runs the finalizer machine.machine.openshift.io is removed',
      '',
      'Hooks that their owners have to remove',
      ' pre-drain EtcdQuorumOperator clusteroperator/etcd',
    ]);
  });
});

describe('the example fleet of v1alpha1', () => {
  it('loses a worker without a drain, and has another one made', async () => {
    const { code, lines, stderr } = await phaseout('run', '--example', 'v1alpha1');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines[1]).toBe(
      '  Machines: machines/control-plane-1, machines/worker-1, machines/worker-2, machines/worker-3',
    );
    expect(phasesOf(lines, 'worker-1')).toEqual(['infrastructure', 'node', 'finalize']);
    expect(lines).toContainEqual(expect.stringMatching(/ machine=machines\/worker-\w{5} is=new$/));
    expect(lines.filter((line) => line.includes('evicted'))).toEqual([]);
  });

  it('is shown on a board with the three phases that its Machines have', async () => {
    const env = { PHASEOUT_LOG_LEVEL: 'error', NO_COLOR: '1' };
    let shown = '';
    const stdout = { write: (text: string) => (shown += text), isTTY: true, columns: 120, rows: 40 };
    const { outside } = await anOutside({ env, stdout });
    expect(await main(['run', '--example', 'v1alpha1'], outside)).toBe(0);
    expect(shown).toContain('\n  ● infrastructure   ○ node   ○ finalize\n');
    expect(shown).not.toContain('drain');
  });

  it('has no plan for the Machine that phaseout runs on', async () => {
    const env = { PHASEOUT_LOG_LEVEL: 'error', NODE_NAME: 'worker-1' };
    const { outside, written } = await anOutside({ env });
    const args = ['plan', '--example', 'v1alpha1', 'machines/worker-1', '-o', 'json'];
    expect(await main(args, outside)).toBe(0);
    const plan = parsed<DeletionPlan>(written.stdout);
    expect(plan.held.map(({ reason }) => reason)).toEqual(['RunsPhaseout']);
    expect(plan.phases.map(({ phase }) => phase)).toEqual(['infrastructure', 'node', 'finalize']);
  });
});

describe("a provider of the user's", () => {
  it.each([
    ['openshift', ['master-1', 'worker-1']],
    ['v1alpha1', ['worker-1']],
  ])('has the servers of the example %s, and is asked to take them away', async (example, deleted) => {
    const { gone, cloud, url } = await aProvider();
    const env = { PHASEOUT_LOG_LEVEL: 'error', PHASEOUT_ACTUATOR_URL: url };
    const { outside, written } = await anOutside({ env });
    expect(await main(['run', '--example', example], outside)).toBe(0);
    expect(written.stderr).toBe('');
    expect(gone.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(deleted);
    expect(cloud.servers().map(({ machine }) => machine.name)).toContain('worker-2');
  });

  it('is missed at once when it does not answer', async () => {
    const env = { PHASEOUT_ACTUATOR_URL: 'http://127.0.0.1:1' };
    const { outside, written } = await anOutside({ env });
    expect(await main(['run', '--example', 'openshift'], outside)).toBe(1);
    expect(written.stderr).toMatch(
      /^phaseout: the provider of PHASEOUT_ACTUATOR_URL could not be asked: POST http:\/\/127\.0\.0\.1:1\/v1\/create: /,
    );
  });

  it('is not needed for Cluster API', async () => {
    const env = { PHASEOUT_LOG_LEVEL: 'error', PHASEOUT_ACTUATOR_URL: 'http://127.0.0.1:1' };
    const { outside } = await anOutside({ env });
    expect(await main(['plan', 'fleet/worker-1', '--example'], outside)).toBe(0);
  });
});
