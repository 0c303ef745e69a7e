import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { preTerminate } from '../../../functions/pre-terminate.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

const hook = { 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/x': '' };
const annotations = atCheckpoint(aCheckpoint({ phase: 'pre-terminate' }), hook);

const statusSchema = z.object({
  conditions: z.array(z.object({ type: z.string(), reason: z.string(), message: z.string() })),
  nodeRef: z.object({ name: z.string() }).optional(),
});

const statusOf = ({ management }: World) => statusSchema.parse(management.at(machinePath)?.['status']);

const noAnswer = () => {
  throw new Unavailable('no answer');
};

/** What the Machine says of things that a wait for hooks does not need. */
const said = (world: World): string[] =>
  statusOf(world)
    .conditions.filter(({ type }) => /^(BootstrapConfigReady|InfrastructureReady|NodeHealthy)$/.test(type))
    .map(({ type, reason, message }) => `${type} ${reason} ${message}`.trim());

const waitForHooks = (world: World) =>
  reconcilePhase(world.env, preTerminate, aCommand({ phase: 'pre-terminate' }));

const clusterThatIsInitialized = (status: string, ...others: object[]) => ({
  status: {
    initialization: { infrastructureProvisioned: true },
    conditions: [
      { type: 'ControlPlaneInitialized', status, lastTransitionTime: timeAfter(-9_000) },
      ...others,
    ],
  },
});

describe('a wait for hooks', () => {
  test('begins with a look at all that the Machine tells of', async () => {
    const world = aWorld(aRawMachine({ annotations }));
    world.management.drop('servers/default/m-1');
    await waitForHooks(world);
    expect(said(world)).toEqual([
      'BootstrapConfigReady Ready',
      'InfrastructureReady ObjectDeleted Server has been deleted',
      expect.stringMatching(/^NodeHealthy /),
    ]);
  });

  test('goes on without looking again', async () => {
    const world = aWorld(aRawMachine({ annotations }));
    await waitForHooks(world);
    const reads = world.management.reads.length;
    await waitForHooks(world);
    expect(world.management.reads.slice(reads)).toEqual(['get machines/default/m-1']);
  });

  test('says of what cannot be read that it could not', async () => {
    const world = aWorld(aRawMachine({ annotations }));
    world.management.on('get servers/default/m-1', noAnswer);
    world.management.on('get configs/default/m-1', noAnswer);
    world.workload.on('get nodes/node-1', noAnswer);
    await waitForHooks(world);
    expect(said(world)).toEqual([
      'BootstrapConfigReady InternalError Please check controller logs for errors',
      'InfrastructureReady InternalError Please check controller logs for errors',
    ]);
  });

  test('looks again at what could not be read', async () => {
    const world = aWorld(aRawMachine({ annotations }));
    world.management.on('get servers/default/m-1', noAnswer);
    await waitForHooks(world);
    expect(said(world)).toContainEqual(expect.stringContaining('InfrastructureReady InternalError'));
    await waitForHooks(world);
    expect(said(world)).toContain('InfrastructureReady Ready');
  });

  test('looks again at a Node once the Cluster is far enough to have one', async () => {
    const world = aWorld(aRawMachine({ annotations }));
    world.management.change('clusters/default/c', clusterThatIsInitialized('False'));
    world.workload.on('get nodes/node-1', noAnswer);
    await waitForHooks(world);
    expect(said(world)).toContainEqual(expect.stringContaining('NodeHealthy InspectionFailed Waiting for'));
    world.management.change('clusters/default/c', clusterThatIsInitialized('True'));
    world.time.now += 60_000;
    await waitForHooks(world);
    expect(said(world)).toContainEqual(expect.stringMatching(/^NodeHealthy Node/));
  });

  test('says one thing of a Node that is seen where its Cluster says that nobody can', async () => {
    const world = aWorld(aRawMachine({ annotations }));
    const failed = `Remote connection probe failed, probe last succeeded at ${timeAfter(-1_000)}`;
    const probe = { type: 'RemoteConnectionProbe', status: 'False', message: failed };
    world.management.change('clusters/default/c', clusterThatIsInitialized('True', probe));
    await waitForHooks(world);
    const first = world.management.at(machinePath);
    for (const seconds of [60, 120, 180]) {
      world.time.now = after(seconds);
      await waitForHooks(world);
    }
    expect(said(world)).toContainEqual(expect.stringMatching(/^NodeHealthy Node/));
    expect(world.management.at(machinePath)).toEqual(first);
  });

  test('does not pass over a mistake of ours', async () => {
    const world = aWorld(aRawMachine({ annotations }));
    world.management.on('get servers/default/m-1', () => {
      throw new TypeError('undefined is not a function');
    });
    await expect(waitForHooks(world)).rejects.toThrow(TypeError);
  });

  test('names the Node that it found, or says that there is none', async () => {
    const world = aWorld(aRawMachine({ annotations, status: { nodeRef: undefined } }));
    await waitForHooks(world);
    expect(statusOf(world).nodeRef).toEqual({ name: 'node-1' });

    const unseen = aWorld(aRawMachine({ annotations, status: { nodeRef: undefined } }));
    unseen.workload.on('list nodes', () => {
      throw new Unavailable('no answer');
    });
    await waitForHooks(unseen);
    expect(said(unseen).filter((line) => line.startsWith('Node'))).toEqual([]);

    const without = aWorld(aRawMachine({ annotations, status: { nodeRef: undefined } }));
    without.workload.drop('nodes/node-1');
    await waitForHooks(without);
    expect(said(without)).toContain('NodeHealthy NodeDoesNotExist Node does not exist');
  });
});
