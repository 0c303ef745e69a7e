import { KeptHooks } from '../../../../infra/hook/kept-hooks.ts';
import { overviewOf } from '../../../../infra/page/look/overview.ts';
import type { OverviewView } from '../../../../infra/page/views.ts';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { after } from '../../../builders/cluster-api.ts';

export const api = {
  dialect: clusterApi,
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  resource: { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' },
};

/** Without DeletionHooks. */
export const noHooks = (): KeptHooks =>
  new KeptHooks({
    kubernetes: {
      discover: async () => ({ group: 'phaseout.dev', version: 'v1alpha1', plural: 'deletionhooks' }),
      list: async () => ({ items: [], resourceVersion: '1' }),
    },
    selection: {},
    clock: systemClock,
  });

/** The overview of these Machines, a minute after their deletion was asked for. */
export const anOverview = (machines: readonly KubeObject[], gone: readonly KubeObject[] = []): OverviewView =>
  overviewOf(
    {
      seen: () => machines.map((machine) => ({ api, machine })),
      gone: () => gone.map((machine) => ({ api, machine, went: { at: after(60) } })),
      unread: () => [],
    },
    { subject: 'a fleet', notes: [], hooks: noHooks(), machineApis: [api] },
    after(60),
  );
