import { runService } from '@rubrica/process';
import { readConfig } from './config.ts';
import { buildService } from './service.ts';

await runService({ name: 'console', config: () => readConfig(), build: buildService });
