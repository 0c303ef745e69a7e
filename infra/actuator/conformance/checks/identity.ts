import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { Unmet } from '../../../conformance/outcome.ts';
import { type Bench, type Check, ofServer } from '../check.ts';
import { mustExist, removeToTheEnd, removeUntilGone, report } from '../verbs.ts';
import { providerIdOf } from './creation.ts';

/** A recreated Machine has the name of the old one. The server of the old one may still exist. */
export const identity: readonly Check[] = [
  ofServer('a Machine of the same name with another UID has no server', (bench, server) =>
    mustExist(bench, namesake(bench, server), false),
  ),
  ofServer('deleting such a namesake leaves the server alone', async (bench, server) => {
    await removeToTheEnd(bench, namesake(bench, server));
    await mustStillExist(bench, server);
  }),
  ofServer('a namesake gets a server of its own, and takes only that one with it', async (bench, server) => {
    const machine = namesake(bench, server);
    const { providerID } = await report(bench, 'create', machine);
    if (providerID !== undefined && providerID === providerIdOf(server)) {
      throw new Unmet('another providerID for another UID', providerID);
    }
    await removeUntilGone(bench, machine);
    await mustStillExist(bench, server);
  }),
];

const namesake = ({ machines }: Bench, { metadata }: KubeObject) => machines.make(metadata.name);

const mustStillExist = (bench: Bench, server: KubeObject): Promise<void> =>
  mustExist(bench, server, true, 'the server of the first Machine to exist still');
