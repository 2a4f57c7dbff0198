import { runService } from '@rubrica/process/runner';
import { consoleSettings, readConfig } from './config.ts';
import { buildService } from './service.ts';

export function run(): Promise<void> {
  return runService({
    name: 'console',
    settings: consoleSettings,
    checks: [],
    config: () => readConfig(),
    build: buildService,
  });
}
