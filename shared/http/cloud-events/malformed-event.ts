/** What was delivered is not an event that is taken here. Final: delivering it again changes nothing. */
export class MalformedEvent extends Error {
  /** The attribute, the header or the path into the data. */
  readonly field: string;
  readonly why: string;

  constructor(field: string, why: string) {
    super(`${field}: ${why}`);
    this.name = 'MalformedEvent';
    this.field = field;
    this.why = why;
  }
}
