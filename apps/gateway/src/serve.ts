import { runService } from '@rubrica/process/runner';
import { gatewaySettings, readConfig } from './config.ts';
import { buildService } from './service.ts';

export function run(): Promise<void> {
  return runService({
    name: 'gateway',
    settings: gatewaySettings,
    checks: ['nats', 'streams', 'clock'],
    config: () => readConfig(),
    build: buildService,
  });
}
