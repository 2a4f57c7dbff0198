export { type CedulaResult, checkCedula, makeCedula } from './cedula/cedula.ts';
export { type CellphoneResult, checkCellphone } from './cellphone/cellphone.ts';
export { checkFingerCode, type FingerCodeResult } from './finger-code/finger-code.ts';
export {
  type Canton,
  cantons,
  findCanton,
  findProvince,
  type Province,
  provinces,
} from './places/places.ts';
export { checkRuc, type RucFault, type RucKind, type RucResult } from './ruc/ruc.ts';
