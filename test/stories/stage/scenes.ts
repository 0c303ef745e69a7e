import type { ClusterStage } from './cluster-stage.ts';

/** A DaemonSet whose Pods no drain may touch. */
export function agents(fleet: ClusterStage): void {
  const labels = { app: 'agent' };
  const template = {
    metadata: { labels, annotations: { 'story/stays': '' } },
    spec: { containers: [{ name: 'c', image: 'registry.example/agent:1' }] },
  };
  fleet.create('daemonsets.apps', {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'shop' },
    spec: { selector: { matchLabels: labels }, template },
  });
}
