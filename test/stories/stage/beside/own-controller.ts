import { defaultSettings } from '../../../../infra/local/controllers/machinery/settings.ts';
import { type Controller, World } from '../../../../infra/local/controllers/machinery/world.ts';
import type { Stage } from '../stage.ts';

/** A controller begins that no local platform has: somebody else's, as far as a story needs it. */
export function startOwn({ server, clock, problems }: Stage, controller: Controller): void {
  const report = (error: unknown, about: string): void =>
    void problems.push(`controller ${about}: ${String(error)}`);
  controller(new World(server.cluster, clock, defaultSettings, report));
}
