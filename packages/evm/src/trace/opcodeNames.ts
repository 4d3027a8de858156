/** Names of instructions as go-ethereum's tracers give them; a byte without a meaning is named by its number. */
const named: Readonly<Record<number, string>> = Object.fromEntries([
  ...list(0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'),
  ...list(0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR'),
  ...list(0x20, 'KECCAK256'),
  ...list(
    0x30,
    'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH',
  ),
  ...list(
    0x40,
    'BLOCKHASH COINBASE TIMESTAMP NUMBER DIFFICULTY GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE',
  ),
  ...list(0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY PUSH0'),
  ...numbered(0x60, 32, 'PUSH', 1),
  ...numbered(0x80, 16, 'DUP', 1),
  ...numbered(0x90, 16, 'SWAP', 1),
  ...numbered(0xa0, 5, 'LOG', 0),
  ...list(0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'),
  ...list(0xfa, 'STATICCALL'),
  ...list(0xfd, 'REVERT INVALID SELFDESTRUCT'),
]);

function list(first: number, names: string): [number, string][] {
  return names.split(' ').map((name, index) => [first + index, name]);
}

function numbered(first: number, count: number, name: string, from: number): [number, string][] {
  return Array.from({ length: count }, (_, index) => [first + index, `${name}${from + index}`]);
}

/** Name of a byte of code, as `PUSH1`; for others words with its number in hex, as go-ethereum's tracers show them. */
export const opcodeName = (opcode: number): string => named[opcode] ?? `opcode 0x${opcode.toString(16)} not defined`;
