import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { KnativeService, Scaling } from '../serverless/model.ts';
import { environmentSources, instanceAnnotations } from './configuration.ts';
import { resourcesOf, restricted } from './container.ts';
import type { Installation } from './installed.ts';
import { selectorLabels } from './manifest.ts';

export const functionsComponent = 'functions';

/** Where the functions listen: Knative's own default, named so that NetworkPolicies can name it as well. */
export const functionsPort = 8080;

/** A Knative Service: the functions that live in it, by the names that Triggers know them by. */
export function knativeService(service: KnativeService, installation: Installation): KubeObject {
  const { file } = installation;
  return {
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    metadata: {
      name: service.name,
      namespace: service.namespace,
      labels: {
        // Nothing outside of the cluster may call the functions.
        'networking.knative.dev/visibility': 'cluster-local',
        'bindings.knative.dev/include': 'true',
      },
    },
    spec: {
      template: {
        metadata: {
          labels: selectorLabels(file.service, functionsComponent),
          annotations: {
            ...autoscaling(service.scaling),
            ...instanceAnnotations(installation),
            ...scraping,
          },
        },
        spec: {
          serviceAccountName: service.serviceAccountName,
          containerConcurrency: service.scaling.containerConcurrency,
          timeoutSeconds: service.scaling.timeoutSeconds,
          enableServiceLinks: false,
          containers: [container(service, installation)],
        },
      },
    },
  };
}

/** For a Prometheus that finds Pods by the usual annotations. Of the Pods themselves: each counts for itself. */
const scraping = {
  'prometheus.io/scrape': 'true',
  'prometheus.io/port': String(functionsPort),
  'prometheus.io/path': '/metrics',
};

function autoscaling(scaling: Scaling): Record<string, string> {
  const values = {
    'min-scale': scaling.minScale,
    'max-scale': scaling.maxScale,
    target: scaling.target,
    window: scaling.window,
    'scale-to-zero-pod-retention-period': scaling.podRetention,
    'scale-down-delay': scaling.scaleDownDelay,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[`autoscaling.knative.dev/${name}`, String(value)]],
    ),
  );
}

const container = (service: KnativeService, installation: Installation) => ({
  name: functionsComponent,
  image: installation.image,
  ports: [{ name: 'http1', containerPort: functionsPort }],
  env: Object.entries(ownEnvironment(service, installation)).map(([name, value]) => ({ name, value })),
  envFrom: environmentSources(installation),
  // Without a period the kubelet asks every ten seconds. A start that misses one probe is ready ten seconds late.
  readinessProbe: { httpGet: { path: '/health/readiness' }, periodSeconds: 1, timeoutSeconds: 5 },
  livenessProbe: { httpGet: { path: '/health/liveness' }, periodSeconds: 10, timeoutSeconds: 5 },
  resources: resourcesOf(service.resources),
  securityContext: restricted,
});

/** The variables of one Service. They win over those of the ConfigMap. */
function ownEnvironment(
  service: KnativeService,
  { file, environment }: Installation,
): Record<string, string> {
  const declared = Object.entries(service.environment).filter(
    ([name, value]) => file.environment[name] !== value,
  );
  const own: Record<string, string> = Object.fromEntries(declared);
  const effective = { ...environment, ...own };
  return {
    PHASEOUT_FUNCTIONS: service.functions.join(','),
    ...own,
    ...withinTime(effective, service.scaling.timeoutSeconds),
  };
}

/**
 * Seconds of Knative's timeout, which is the grace period, too, that are not left for it. Queue-proxy takes the first
 * 30 seconds of the grace period, in which no new request may come. Only then the container hears of the end.
 */
const margins = { PHASEOUT_REQUEST_TIMEOUT_SECONDS: 10, PHASEOUT_SHUTDOWN_SECONDS: 35 };

function withinTime(
  environment: Readonly<Record<string, string>>,
  timeoutSeconds: number,
): Record<string, string> {
  const limits = Object.entries(margins).flatMap(([name, margin]) => {
    const most = Math.max(1, timeoutSeconds - margin);
    return Number(environment[name]) > most ? [[name, String(most)]] : [];
  });
  return Object.fromEntries(limits);
}
