// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {PrimeOrdersForge} from "../mock/PrimeOrdersForge.sol";
import {PrimeOrdersMock} from "../mock/PrimeOrdersMock.sol";

interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function etch(address target, bytes calldata code) external;
    function store(address target, bytes32 slot, bytes32 value) external;
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function deal(address account, uint256 balance) external;
    function roll(uint256 blockNumber) external;
    function expectRevert(bytes calldata data) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
}

/// @dev Base of the tests of this folder, which need no forge-std.
abstract contract ForgeTest {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    bool public constant IS_TEST = true;
    PrimeOrdersMock internal orders;

    function setUp() public virtual {
        orders = PrimeOrdersForge.install();
    }

    /// @dev What a read returns from now on.
    function answer(bytes memory read, bytes memory with_) internal {
        orders.setAnswer(read, with_);
    }

    /// @dev Writes among the recorded logs: their kinds and data, in order.
    function writes() internal returns (uint8[] memory kinds, bytes[] memory data) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bytes32 action = keccak256("Action(address,uint8,uint64,bytes)");
        uint256 count;
        for (uint256 index = 0; index < logs.length; index++)
            if (logs[index].emitter == address(orders) && logs[index].topics[0] == action) count++;
        kinds = new uint8[](count);
        data = new bytes[](count);
        uint256 at;
        for (uint256 index = 0; index < logs.length; index++) {
            if (logs[index].emitter != address(orders) || logs[index].topics[0] != action) continue;
            kinds[at] = uint8(uint256(logs[index].topics[2]));
            (, data[at]) = abi.decode(logs[index].data, (uint64, bytes));
            at++;
        }
    }
}
