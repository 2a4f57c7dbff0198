import { runService } from '@rubrica/process';
import { fileCheckerSettings, readFileCheckerConfig } from './config.ts';
import { buildFileChecker } from './validation/file-checks/remote/build-file-checker.ts';

/** The process that decodes applicants' files for intake, without its keys and without a network. */
await runService({
  name: 'file-checker',
  settings: fileCheckerSettings,
  checks: [],
  config: readFileCheckerConfig,
  build: buildFileChecker,
});
