import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { SamplerName, TracingSettings } from './settings.ts';

type Sampling = Pick<TracingSettings, 'ratio'>;

/** By OpenTelemetry's names. `parentbased` goes by what was decided where the trace began. */
const samplers: Record<SamplerName, (sampling: Sampling) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: ({ ratio }) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: ({ ratio }) =>
    new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

export const samplerOf = ({ sampler, ...sampling }: TracingSettings): Sampler => samplers[sampler](sampling);
