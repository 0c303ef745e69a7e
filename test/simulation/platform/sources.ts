import { startApiServerSource } from '../../../infra/local/eventing/api-server-source.ts';
import type { WatchedApi } from '../../../infra/local/eventing/follow-changes.ts';
import { startPingSource } from '../../../infra/local/eventing/ping-source.ts';
import type { Post } from '../../../infra/local/eventing/post.ts';
import type { Cluster } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { ServerlessFile } from '../../../infra/serverless/model.ts';
import { whileScheduled } from '../../stories/missed-events/schedules.ts';
import type { Random } from '../random.ts';
import type { Strand } from '../scheduler.ts';

export interface SourcesParts {
  file: ServerlessFile;
  random: Random;
  newSource: () => Strand;
  /** Nothing more comes of it. */
  end: (strand: Strand) => void;
  /** What sources watch. */
  api: (strand: Strand) => WatchedApi;
  /** Of the cluster that has the Machines, for the schedule of a tick that rests. */
  cluster: Cluster;
  /** Where events are sent to. */
  sink: string;
  /** The way there. */
  post: (strand: Strand) => Post;
}

/** Sends an event for each change, and none for what exists already. Answers with the way to end it. */
export const startAdapters = (parts: SourcesParts): (() => void) =>
  startEach(parts, parts.file.apiServerSources, (source, strand) =>
    startApiServerSource({
      ...commonOf(parts, strand),
      source,
      apiUrl: 'https://management',
      api: parts.api(strand),
    }),
  );

/** Answers with the way to end them. */
export const startTicks = (parts: SourcesParts): (() => void) =>
  startEach(parts, parts.file.pingSources, (declared, strand) =>
    whileScheduled(parts.cluster, declared, (source) =>
      startPingSource({ ...commonOf(parts, strand), source }),
    ),
  );

const commonOf = ({ sink, random, post }: SourcesParts, strand: Strand) => ({
  sink,
  clock: strand,
  random,
  post: post(strand),
});

/** Each is a process of its own. */
function startEach<Source>(
  { newSource, end }: SourcesParts,
  sources: readonly Source[],
  start: (source: Source, strand: Strand) => () => void,
): () => void {
  const stops = sources.map((source) => {
    const strand = newSource();
    const stop = start(source, strand);
    return () => {
      stop();
      end(strand);
    };
  });
  return () => stops.forEach((stop) => stop());
}
