import { join } from 'node:path';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { describeSettings, type SettingRow } from '@rubrica/process/config';
import type { z } from 'zod';
import { projectRoot } from '../setup/home.ts';
import { serviceNames } from '../setup/services.ts';

export type Deployable = ServiceName | 'console';
export const deployables: readonly Deployable[] = [...serviceNames, 'console'];

interface ConfigModule {
  readonly settings?: z.ZodObject;
  readonly gatewaySettings?: z.ZodObject;
  readonly consoleSettings?: z.ZodObject;
  readonly provisioningSettings?: z.ZodObject;
  readonly fileCheckerSettings?: z.ZodObject;
}

/** Workload that runs another program from intake's image. */
export const fileChecker = 'file-checker';

export async function readFileCheckerSettings(): Promise<SettingRow[]> {
  const { fileCheckerSettings } = (await import(configFile('intake'))) as ConfigModule;
  return describeSettings(fileCheckerSettings as z.ZodObject);
}

function configFile(service: Deployable): string {
  return join(projectRoot, 'apps', service, 'src', 'config.ts');
}

/**
 * Lists the settings that each service reads, those that its provisioning step reads in addition, and all that the step
 * reads.
 */
export async function readDeployableSettings(
  service: Deployable,
): Promise<{ running: SettingRow[]; provisioning: SettingRow[]; ofStep: SettingRow[] }> {
  const { settings, gatewaySettings, consoleSettings, provisioningSettings } = (await import(
    configFile(service)
  )) as ConfigModule;
  const running = describeSettings((settings ?? gatewaySettings ?? consoleSettings) as z.ZodObject);
  const known = new Set(running.map(({ env }) => env));
  const ofStep = provisioningSettings === undefined ? [] : describeSettings(provisioningSettings);
  return { running, provisioning: ofStep.filter(({ env }) => !known.has(env)), ofStep };
}
