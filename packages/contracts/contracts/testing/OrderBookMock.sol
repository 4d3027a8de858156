// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {PrimeOrders} from "../PrimeOrders.sol";

/// @title Stands in for the precompile at 0x…0101 in tests outside of a Prime chain (forge, hardhat).
/// @notice Answers each read with what the test said, and anything else with the reason that it was not told.
/// @dev Put its code at 0x…0101 and that of {PrimeOrders} at 0x…0100, see {PrimeOrdersTest}. Writes need no stand-in: the real contract
/// makes its logs; nothing carries them out.
contract OrderReadsMock {
    mapping(bytes32 => bytes) private _answers;

    /// @param read   calldata of the read
    /// @param answer ABI encoding of what it returns
    function setAnswer(bytes calldata read, bytes calldata answer) external {
        _answers[keccak256(read)] = answer;
    }

    fallback(bytes calldata read) external returns (bytes memory answer) {
        answer = _answers[keccak256(read)];
        require(answer.length > 0, "the test gives no answer to this read");
    }
}

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

/// @title Base of forge tests of contracts that use the order book.
abstract contract PrimeOrdersTest {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    bool public constant IS_TEST = true;
    address internal constant ORDERS = address(0x100);
    OrderReadsMock internal constant READS = OrderReadsMock(address(0x101));
    uint256 private constant WRITES_MAX = 2000;

    function setUp() public virtual {
        vm.etch(ORDERS, type(PrimeOrders).runtimeCode);
        vm.store(ORDERS, bytes32(uint256(2)), bytes32(WRITES_MAX << 128));
        vm.etch(address(READS), type(OrderReadsMock).runtimeCode);
    }

    /// @dev What a read returns from now on.
    function answer(bytes memory read, bytes memory with_) internal {
        READS.setAnswer(read, with_);
    }

    /// @dev Writes among the recorded logs: their kinds and data, in order.
    function writes() internal returns (uint8[] memory kinds, bytes[] memory data) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bytes32 action = keccak256("Action(address,uint8,uint64,bytes)");
        uint256 count;
        for (uint256 index = 0; index < logs.length; index++)
            if (logs[index].emitter == ORDERS && logs[index].topics[0] == action) count++;
        kinds = new uint8[](count);
        data = new bytes[](count);
        uint256 at;
        for (uint256 index = 0; index < logs.length; index++) {
            if (logs[index].emitter != ORDERS || logs[index].topics[0] != action) continue;
            kinds[at] = uint8(uint256(logs[index].topics[2]));
            (, data[at]) = abi.decode(logs[index].data, (uint64, bytes));
            at++;
        }
    }
}
