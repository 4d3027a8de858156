// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// Writes many storage slots in one transaction.
contract LoadStorage {
    /// @param first slot, of any number; the others follow it
    function write(uint256 first, uint256 count, uint256 value) external {
        for (uint256 index = 0; index < count; ++index) {
            assembly ("memory-safe") {
                sstore(add(first, index), add(value, index))
            }
        }
    }
}
