// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// What a client has to cope with, in one contract: state, events, and every way in which a call can be refused.
contract Probe {
    error Refused(address caller, uint256 wanted, uint256 allowed);

    event Stored(address indexed sender, uint256 indexed key, uint256 value, string note);
    event Received(address indexed sender, uint256 amount);

    struct Entry {
        uint256 value;
        string note;
        address[] writers;
    }

    uint256 public immutable allowed;
    mapping(uint256 key => Entry) private entries;

    constructor(uint256 allowed_) payable {
        allowed = allowed_;
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    function store(uint256 key, uint256 value, string calldata note) external payable {
        Entry storage entry = entries[key];
        entry.value = value;
        entry.note = note;
        entry.writers.push(msg.sender);
        emit Stored(msg.sender, key, value, note);
    }

    function read(uint256 key) external view returns (Entry memory) {
        return entries[key];
    }

    function valueAt(uint256 key) external view returns (uint256) {
        return entries[key].value;
    }

    function refuseWithText() external pure {
        revert("the probe refuses");
    }

    function refuseWithError(uint256 wanted) external view {
        if (wanted > allowed) revert Refused(msg.sender, wanted, allowed);
    }

    function divide(uint256 dividend, uint256 divisor) external pure returns (uint256) {
        return dividend / divisor;
    }
}
