import {
  databaseSettings,
  type Environment,
  keySettings,
  loadConfig,
  logSettings,
  natsSettings,
  provisionSettings,
  serviceSettings,
} from '@rubrica/process/config';
import { z } from 'zod';

/** Settings of the running service. */
export const settings = serviceSettings.extend({
  nats: natsSettings.omit({ streamsUser: true, apiPrefix: true }),
  database: databaseSettings,
  keys: keySettings,
});
export type TermsConfig = z.output<typeof settings>;

/** Settings of provisioning. They include the owner's URL, which the running service never has. */
export const provisioningSettings = z.object({
  log: logSettings,
  database: databaseSettings,
  keys: keySettings,
  provision: provisionSettings.pick({
    databaseOwnerUrl: true,
    sandbox: true,
    baseUrl: true,
    adoptAuditHours: true,
    seedFile: true,
  }),
});
export type ProvisioningConfig = z.output<typeof provisioningSettings>;

/** @throws ConfigError with all faults at once */
export function readConfig(env: Environment = process.env): TermsConfig {
  return loadConfig(settings, env);
}

/** @throws ConfigError with all faults at once */
export function readProvisioningConfig(env: Environment = process.env): ProvisioningConfig {
  return loadConfig(provisioningSettings, env);
}
