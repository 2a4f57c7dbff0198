export {
  type AddressKind,
  forbiddenKind,
  isInNetworks,
  type Networks,
  readNetworks,
} from './address-rules.ts';
export { type CountedNetwork, listNetworks } from './list-networks.ts';
export { isWebPort } from './web-ports.ts';
