/** The parts of the Serverless Framework, in the version of osls, that the plugin has to do with. */
export interface Framework {
  serviceDir: string;
  configurationFilename: string;
  service: { functions: Record<string, { image?: string }> };
  configSchemaHandler: { defineProvider(name: string, schemas: ProviderSchemas): void };
  setProvider(name: string, provider: object): void;
  classes: { Error: new (message: string, code: string) => Error };
}

export interface ProviderSchemas {
  provider: object;
  function: object;
  functionEvents: Record<string, object>;
}

/** An option of a command, as the framework's help shows it. */
export interface CommandOption {
  usage: string;
  type: 'string' | 'boolean' | 'multiple';
}

type Hook = () => Promise<void> | void;

export interface Plugin {
  commands: Record<string, { options: Record<string, CommandOption> }>;
  hooks: Record<string, Hook>;
}

/** Options as they were given on the command line. */
export type GivenOptions = Readonly<Record<string, string | boolean | string[] | null | undefined>>;
