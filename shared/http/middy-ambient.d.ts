// The typings of @middy/core speak of two packages that are of use on AWS only. Unresolved they would turn every
// handler's types into `any`, so here is as much of them as middy asks for.

declare module 'aws-lambda' {
  export interface Context {
    getRemainingTimeInMillis: () => number;
  }
  export type Handler<TEvent = unknown, TResult = unknown> = (
    event: TEvent,
    context: Context,
  ) => Promise<TResult>;
}

declare module '@aws/durable-execution-sdk-js' {
  import type { Context } from 'aws-lambda';
  export interface DurableContext {
    lambdaContext: Context;
  }
}
