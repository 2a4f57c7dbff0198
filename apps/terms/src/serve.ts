import { runService } from '@rubrica/process/runner';
import { readConfig, settings } from './config.ts';
import { buildService } from './service.ts';

export function run(): Promise<void> {
  return runService({
    name: 'terms',
    settings,
    checks: ['database', 'clock', 'nats'],
    config: readConfig,
    build: buildService,
  });
}
