import { awaitProvisionedProgram } from '@rubrica/wiring/await-provisioned';
import { packageMigrations, schema } from './store/schema.ts';

/** Before a copy starts where it may be there sooner than the provisioning of its release. */
await awaitProvisionedProgram({
  schema,
  folder: new URL('../migrations/', import.meta.url),
  base: packageMigrations,
});
