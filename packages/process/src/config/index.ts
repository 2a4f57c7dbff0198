export { describeSettings, type SettingRow } from './describe-settings.ts';
export {
  databaseSettings,
  keySettings,
  logSettings,
  natsSettings,
  provisionSettings,
  type ServiceSettings,
  serviceSettings,
} from './fragments.ts';
export { ConfigError, type Environment, loadConfig } from './load-config.ts';
export { nearestName } from './nearest-name.ts';
export { isLoopbackAddress } from './production-rules.ts';
export { address, commaList, flag, integer, setting } from './setting.ts';
export { describeUnknownSettings } from './unknown-settings.ts';
