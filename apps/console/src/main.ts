import { runService } from '@rubrica/process';
import { consoleSettings, readConfig } from './config.ts';
import { buildService } from './service.ts';

await runService({
  name: 'console',
  settings: consoleSettings,
  checks: [],
  config: () => readConfig(),
  build: buildService,
});
