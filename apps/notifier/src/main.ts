import { runService } from '@rubrica/service';
import { readConfig } from './config.ts';
import { buildService } from './service.ts';

await runService({ name: 'notifier', config: readConfig, build: buildService });
