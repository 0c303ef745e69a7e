import {
  connectTools,
  type KubernetesForTools,
} from '../../../../shared/adapters/kubernetes/install-client.ts';
import { loadKubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import { carrying, kubeconfigOf } from '../carriage.ts';
import { serverAs, type UserName } from '../identities.ts';
import type { Stage } from '../stage.ts';

/** A connection beside those of the instances. */
export function connectedAs({ server, clock }: Stage, user: UserName): KubernetesForTools {
  const carry = carrying({ serverAt: () => serverAs(server, user) });
  return connectTools(loadKubeConfig({ text: kubeconfigOf('management') }), { clock, carry });
}
