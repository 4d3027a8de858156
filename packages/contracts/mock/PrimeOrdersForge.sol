// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {PrimeOrdersMock} from "./PrimeOrdersMock.sol";

/// @dev The cheat codes that are needed here; forge-std is not.
interface PrimeCheatCodes {
    function etch(address target, bytes calldata code) external;
    function roll(uint256 blockNumber) external;
    function getBlockNumber() external view returns (uint256);
}

/// @title Puts {PrimeOrdersMock} into forge tests.
library PrimeOrdersForge {
    PrimeCheatCodes private constant CHEATS = PrimeCheatCodes(address(uint160(uint256(keccak256("hevm cheat code")))));
    PrimeOrdersMock private constant MOCK = PrimeOrdersMock(payable(address(0x100)));

    /// @notice The mock at 0x…0100, without a market: call it in `setUp`.
    function install() internal returns (PrimeOrdersMock) {
        CHEATS.etch(address(MOCK), type(PrimeOrdersMock).runtimeCode);
        return MOCK;
    }

    /// @notice Goes on by some blocks and carries out what is due. After two of them reads show all that was written before.
    function advance(uint256 blocks) internal {
        // Not block.number: the compiler may have kept an older one.
        CHEATS.roll(CHEATS.getBlockNumber() + blocks);
        MOCK.carryOut();
    }
}
