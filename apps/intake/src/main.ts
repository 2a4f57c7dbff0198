// First of all: the thread pool takes its size from the environment when it is first used.
import './thread-pool.ts';
import { runService } from '@rubrica/process';
import { readConfig, settings } from './config.ts';
import { buildService } from './service.ts';

await runService({
  name: 'intake',
  settings,
  checks: ['database', 'clock', 'nats', 'streams'],
  config: readConfig,
  build: buildService,
});
