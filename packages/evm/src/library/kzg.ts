import type { CustomCrypto } from '@ethereumjs/common';
import { bls12_381 } from '@noble/curves/bls12-381.js';

type KzgFunctions = NonNullable<CustomCrypto['kzg']>;

const { G1, G2, fields } = bls12_381;
const scalarOrder = fields.Fr.ORDER;

/** [tau]G2 of Ethereum's KZG ceremony: the one point of its setup that checking a proof needs. */
const tauG2 = G2.Point.fromHex(
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2',
);

/**
 * Whether the polynomial behind a commitment has value y at z: e(C - [y]G1, G2) = e(proof, [tau - z]G2).
 *
 * This chain has no blob transactions, but its contracts may call the precompile at 0x0a, as everywhere under the Prague rules.
 *
 * @throws Error `C_KZG_BADARGS` for what is not a point of the group or a scalar below its order
 * @see EIP-4844, "Point evaluation precompile"
 */
function verifyKzgProof(commitment: string, z: string, y: string, proof: string): boolean {
  const [c, p] = [g1Point(commitment), g1Point(proof)];
  const [atZ, value] = [scalar(z), scalar(y)];
  const left = c.subtract(multiply(G1.Point.BASE, value));
  const right = tauG2.subtract(multiply(G2.Point.BASE, atZ));
  const pairs = [
    { g1: left.negate(), g2: G2.Point.BASE },
    { g1: p, g2: right },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  return fields.Fp12.eql(bls12_381.pairingBatch(pairs), fields.Fp12.ONE);
}

/** The library's hook; it calls nothing but verifyProof. */
export const kzgFunctions = { verifyProof: verifyKzgProof } as KzgFunctions;

interface Multipliable<P> {
  readonly multiplyUnsafe: (scalar: bigint) => P;
}
const multiply = <P extends Multipliable<P>>(point: P, by: bigint): P => point.multiplyUnsafe(by);

function scalar(hex: string): bigint {
  const value = BigInt(hex);
  if (value >= scalarOrder) throw new RangeError('C_KZG_BADARGS: scalar is not below the group order');
  return value;
}

function g1Point(hex: string): InstanceType<typeof G1.Point> {
  try {
    const point = G1.Point.fromHex(hex.slice(2));
    point.assertValidity();
    return point;
  } catch (error) {
    if (isInfinity(hex)) return G1.Point.ZERO;
    throw new RangeError('C_KZG_BADARGS: not a point of G1', { cause: error });
  }
}

const isInfinity = (hex: string): boolean => /^0xc0(?:00){47}$/.test(hex);
