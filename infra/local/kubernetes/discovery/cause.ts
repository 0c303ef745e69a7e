/** One reason why an object is refused. */
export interface Cause {
  reason: string;
  message: string;
  field: string;
}
