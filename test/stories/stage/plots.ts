import type { ClusterStage } from './cluster-stage.ts';
import type { Script } from './provider.ts';

/** worker-1 is deleted while the provider answers so, and goes when that is over. */
export const whileProvider =
  (script: Script, seconds: number) =>
  async (fleet: ClusterStage): Promise<void> => {
    const end = fleet.provider.answers(script);
    fleet.delete('worker-1');
    await fleet.seconds(seconds);
    fleet.told.say('the provider is well again');
    end();
    await fleet.gone('worker-1');
  };

const forbidden = { code: 403, message: 'nodes "node-1" is forbidden: deny' };

/** worker-1 is deleted while Nodes cannot be, and goes when that is over. */
export const whileNodesStay =
  (seconds: number, { code, message } = forbidden) =>
  async (fleet: ClusterStage): Promise<void> => {
    const end = fleet.fail(({ verb, resource }) =>
      verb === 'delete' && resource === 'nodes' ? { kind: 'answer', code, message } : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(seconds);
    fleet.told.say('Nodes can be deleted again');
    end();
    await fleet.gone('worker-1');
  };
