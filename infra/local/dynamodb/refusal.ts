/** An answer that is an error, with the name that DynamoDB gives it. */
export class Refusal extends Error {
  /** As the field `__type` of the answer has it: the SDK reads what comes after the `#`. */
  readonly type: string;
  /** Further fields of the answer. */
  readonly fields: object;

  constructor(type: string, message: string, fields: object = {}) {
    super(message);
    this.name = 'Refusal';
    this.type = type;
    this.fields = fields;
  }
}

const ofDynamoDb = (name: string): string => `com.amazonaws.dynamodb.v20120810#${name}`;
const ofCoral = (name: string): string => `com.amazon.coral.${name}`;

export const invalid = (message: string): Refusal =>
  new Refusal(ofCoral('validate#ValidationException'), message);

/** For what DynamoDB can do and this one cannot. */
export const unsupported = (what: string): Refusal =>
  invalid(`The embedded DynamoDB does not support ${what}`);

export const malformed = (message: string): Refusal =>
  new Refusal(ofCoral('service#SerializationException'), message);

export const unknownOperation = (message: string): Refusal =>
  new Refusal(ofCoral('service#UnknownOperationException'), message);

export const conditionFailed = (fields: object = {}): Refusal =>
  new Refusal(ofDynamoDb('ConditionalCheckFailedException'), 'The conditional request failed', fields);

export const tableInUse = (table: string): Refusal =>
  new Refusal(ofDynamoDb('ResourceInUseException'), `Table already exists: ${table}`);

export const noSuchTable = (table: string): Refusal =>
  new Refusal(
    ofDynamoDb('ResourceNotFoundException'),
    `Requested resource not found: Table: ${table} not found`,
  );
