import { runService } from '@rubrica/process';
import { readConfig, settings } from './config.ts';
import { buildService } from './service.ts';

await runService({
  name: 'notifier',
  settings,
  checks: ['database', 'clock', 'nats', 'streams'],
  config: readConfig,
  build: buildService,
});
